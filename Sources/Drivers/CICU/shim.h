#ifndef CAUSEWAY_CICU_SHIM_H
#define CAUSEWAY_CICU_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <unicode/uvernum.h>

// ICU's other headers are not included: Swift's Foundation contains another version of ICU, and the
// compiler refuses two definitions of the same types. The version is in the names of the functions.
typedef struct CausewayCollator CausewayCollator;
CausewayCollator *U_ICU_ENTRY_POINT_RENAME(ucol_open)(const char *locale, int *status);
void U_ICU_ENTRY_POINT_RENAME(ucol_close)(CausewayCollator *collator);
void U_ICU_ENTRY_POINT_RENAME(ucol_setStrength)(CausewayCollator *collator, int strength);
int U_ICU_ENTRY_POINT_RENAME(ucol_strcollUTF8)(
  const CausewayCollator *collator, const char *text, int32_t length, const char *other,
  int32_t other_length, int *status);

// Returns a collator with the order for all languages (UTS 10), or NULL if ICU fails.
static inline CausewayCollator *causeway_icu_collator(int ignores_case) {
  const int secondary = 1, tertiary = 2;
  int status = 0;
  CausewayCollator *collator = U_ICU_ENTRY_POINT_RENAME(ucol_open)("", &status);
  if (status > 0) return NULL;
  U_ICU_ENTRY_POINT_RENAME(ucol_setStrength)(collator, ignores_case ? secondary : tertiary);
  return collator;
}

static inline int causeway_icu_compare(
  const CausewayCollator *collator, const char *text, int32_t length, const char *other,
  int32_t other_length) {
  int status = 0;
  return U_ICU_ENTRY_POINT_RENAME(ucol_strcollUTF8)(
    collator, text, length, other, other_length, &status);
}

static inline void causeway_icu_close_collator(CausewayCollator *collator) {
  U_ICU_ENTRY_POINT_RENAME(ucol_close)(collator);
}

#endif
