# Prints the stacks of the Swift tasks of a process. gdb runs this script for Scripts/stacks.
#
# A suspended task has no thread. Its object begins with the metadata of tasks. The concurrency
# library exports the address of the metadata for debuggers, and the script searches the memory for
# that address. The task names the function that resumes it, and each of its frames names where the
# caller continues. The layout is that of AsyncTask and AsyncContext in swift/ABI/Task.h.

import gdb

WORD = 8
# The function and the frame that resume a task, in bytes from its beginning, on 64-bit systems.
RESUME_FUNCTION = 7 * WORD
RESUME_CONTEXT = 8 * WORD


def word(address):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, WORD).tobytes(), "little")


def function_name(address):
    text = gdb.execute(f"info symbol {address:#x}", to_string=True)
    return None if text.startswith("No symbol") else text.split(" in section")[0].split(" + ")[0]


def allocated_regions(process):
    with open(f"/proc/{process}/maps") as maps:
        for line in maps:
            fields = line.split()
            is_file = len(fields) > 5 and fields[5] != "[heap]"
            if fields[1].startswith("rw") and not is_file:
                yield [int(part, 16) for part in fields[0].split("-")]


def tasks(inferior, metadata):
    pattern = metadata.to_bytes(WORD, "little")
    for start, end in allocated_regions(inferior.pid):
        while start < end:
            try:
                found = inferior.search_memory(start, end - start, pattern)
            except gdb.MemoryError:
                break
            if found is None:
                break
            if found % 16 == 0:
                yield found
            start = found + WORD


def frames(task):
    name = function_name(word(task + RESUME_FUNCTION))
    context = word(task + RESUME_CONTEXT)
    names = []
    while name and len(names) < 60:
        if names[-1:] != [name]:
            names.append(name)
        if not context:
            break
        name = function_name(word(context + WORD))
        context = word(context)
    return names


# Tasks with equal stacks are printed once, with their number. Memory that was a task is passed over.
numbers = {}
try:
    metadata = word(int(gdb.parse_and_eval("(long)&_swift_concurrency_debug_asyncTaskMetadata")))
    for task in tasks(gdb.selected_inferior(), metadata):
        try:
            stack = "\n".join(f"  {name}" for name in frames(task))
        except gdb.MemoryError:
            continue
        if stack:
            numbers[stack] = numbers.get(stack, 0) + 1
except gdb.error as problem:
    print(f"The tasks cannot be listed: {problem}")
lines = []
for stack, number in sorted(numbers.items(), key=lambda item: item[1]):
    lines.append(f"{number} task{'s' if number > 1 else ''}\n{stack}")
print("\n".join(lines))
