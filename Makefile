# The commands of this repository. `make` alone lists them. Scripts/ and DevTools/ do the work.

# With STRICT=1, warnings are errors, and `check`, `test` and `stress` share one build.
strict = $(shell Scripts/strict-options)

.PHONY: help run test check long checker rules api bench docs fuzz flake simulate mutate stress outage replays tsan asan

help: ## lists these commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' $(MAKEFILE_LIST)

# A debug build without debug information is ready in a third of the time of a release build.
run: ## starts Harbor, the example app (ARGS="--port 9000" passes options)
	@Scripts/bootstrap run
	swift run --package-path Examples/Harbor --scratch-path .build/run --disable-index-store -debug-info-format none harbor $(ARGS)

test: ## runs all tests but the long ones (ARGS="--filter Invariant" passes options, ARGS=--slowest lists the slowest tests)
	@Scripts/bootstrap test
	@Scripts/test $(if $(STRICT),$(strict)) $(ARGS)
	@$(if $(ARGS),,Scripts/checker test)

check: ## checks every rule except the tests and the long parts
	@Scripts/bootstrap test
	@Scripts/validate $(strict)

long: ## runs the long parts of the checks (PART=tsan runs one; ARGS=--list prints them, ARGS=--plan those that the last push needs)
	@Scripts/bootstrap test
	@Scripts/devtools long $(PART) $(ARGS)

checker: ## runs causeway check on this repository (ARGS="--fix" passes options)
	@Scripts/bootstrap run
	@Scripts/checker check $(ARGS)

rules: ## writes the checker's rule documentation from the comments of the rules
	@Scripts/checker rules

api: ## compares the public API with the last release, and fails if the changelog lacks a removed name (AGAINST=COMMIT compares with another commit)
	@Scripts/bootstrap run
	@AGAINST="$(AGAINST)" Scripts/devtools public-api $(strict)

bench: ## measures the hot paths and their floors (ARGS="send --json FILE" passes options; PROGRAM=WebBenchmarks runs one of the programs; AGAINST=COMMIT ARGS=send lists the rows that are slower than at that commit, or with AGAINST=marked than at the marked one)
	@Scripts/bootstrap run
ifdef AGAINST
	@Scripts/devtools bench-against "$(AGAINST)" $(ARGS)
else ifdef PROGRAM
	@swift build -c release --package-path Benchmarks --product $(PROGRAM) >&2
	@$(if $(filter PostgresBenchmarks,$(PROGRAM)),Scripts/postgres-server) \
		Benchmarks/.build/release/$(PROGRAM) $(ARGS)
else
	swift run -c release --package-path Benchmarks Benchmarks $(ARGS)
	swift run -c release --package-path Benchmarks DataBenchmarks $(ARGS)
	swift run -c release --package-path Benchmarks TestKitBenchmarks
	swift run -c release --package-path Benchmarks WebBenchmarks
	swift build -c release --package-path Examples/Harbor --product harbor
	swift run -c release --package-path Benchmarks WebBenchmarks --harbor Examples/Harbor/.build/release/harbor people=10 accounts=10 page=1000
	swift run -c release --package-path Benchmarks SimulationBenchmarks
	swift run -c release --package-path Examples/Harbor InspectorCost
endif

docs: ## writes the documentation as a site to .build/docs (BASE=/path: where it is hosted)
	@Scripts/bootstrap run
	@BASE="$(BASE)" Scripts/devtools docs

# The shell has its own variable SECONDS, so the script gets the value under another name.
fuzz: ## runs the parsers of external data with random input (SECONDS=600)
	@Scripts/bootstrap run
	@SECONDS_EACH=$(SECONDS) Scripts/devtools fuzz $(ARGS)

simulate: ## simulates worlds with crashes and power failures (SECONDS=600 for each world, SEED=17, WORLD=harbor; with its WORLD, REPLAY=TEXT repeats a failure of this command; COVERAGE=1 varies the trials that reach new branches; THREADS=4 runs the nodes on real threads)
	@Scripts/bootstrap test
	@SIMULATE_COVERAGE=$(COVERAGE) SIMULATE_THREADS=$(THREADS) SIMULATE_SEED=$(SEED) SIMULATE_WORLD=$(WORLD) SIMULATE_REPLAY=$(REPLAY) \
		Scripts/devtools simulate $(or $(SECONDS),60) $(ARGS)

mutate: ## plants mistakes in a copy of the engine, and reports which the worlds and the tests find (SECONDS=300 of worlds for each, ARGS="NAME …")
	@Scripts/bootstrap test
	@MUTATE_SECONDS=$(or $(SECONDS),300) Scripts/devtools mutate $(ARGS)

replays: ## simulates the same seeds in several processes, and compares their steps (COUNT=100, WORLD=harbor)
	@Scripts/bootstrap test
	@SIMULATE_WORLD=$(WORLD) Scripts/devtools replays $(or $(COUNT),100) $(ARGS)

stress: ## uses Harbor and the data layer at random on all cores; prints all stacks if one is stuck (SECONDS=600, SEED=17, WORLD=six)
	@Scripts/bootstrap stress
	@STRESS_SECONDS=$(SECONDS) STRESS_SEED=$(SEED) STRESS_WORLD=$(WORLD) \
		Scripts/devtools stress $(if $(STRICT),$(strict),-c release) $(ARGS)

outage: ## stops, kills and freezes Harbor's backend, and prints how soon a device notices and goes on (SECONDS="20 60")
	@Scripts/bootstrap test
	@OUTAGE_SECONDS="$(or $(SECONDS),20 60)" Scripts/test --filter OutageTests $(ARGS)

flake: ## runs the tests of the runtime and the test kit 200 times (COUNT=50, LOAD=1)
	@Scripts/bootstrap test
	@Scripts/devtools flake $(COUNT)

tsan: ## runs the tests under ThreadSanitizer
	@Scripts/bootstrap test
	@TSAN_OPTIONS="suppressions=$(CURDIR)/Scripts/suppressions/tsan $$TSAN_OPTIONS" \
		Scripts/test --scratch-path .build/tsan --sanitize thread $(ARGS)

asan: ## runs the tests under AddressSanitizer
	@Scripts/bootstrap test
	@ASAN_OPTIONS="suppressions=$(CURDIR)/Scripts/suppressions/asan $$ASAN_OPTIONS" \
		LSAN_OPTIONS="suppressions=$(CURDIR)/Scripts/suppressions/lsan $$LSAN_OPTIONS" \
		Scripts/test --scratch-path .build/asan --sanitize address $(ARGS)
