import CausewayPostgres

print(PostgresService.Configuration().connections > 0)
