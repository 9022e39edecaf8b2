#ifndef CAUSEWAY_CPOSTGRES_SHIM_H
#define CAUSEWAY_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

// The field codes are character constants, which Swift does not import.
static inline const char *causeway_pq_state(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *causeway_pq_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline const char *causeway_pq_routine(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
}

#endif
