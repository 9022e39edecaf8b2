#ifndef CAUSEWAY_CICU_SHIM_H
#define CAUSEWAY_CICU_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <unicode/uvernum.h>

// ICU's other headers are not included: Swift's Foundation contains another version of ICU, and the
// compiler refuses two definitions of the same types. The version is in the names of the functions.
typedef struct CausewayChecker CausewayChecker;
CausewayChecker *U_ICU_ENTRY_POINT_RENAME(uspoof_open)(int *status);
void U_ICU_ENTRY_POINT_RENAME(uspoof_close)(CausewayChecker *checker);
void U_ICU_ENTRY_POINT_RENAME(uspoof_setRestrictionLevel)(CausewayChecker *checker, int level);
void U_ICU_ENTRY_POINT_RENAME(uspoof_setChecks)(
  CausewayChecker *checker, int32_t checks, int *status);
int32_t U_ICU_ENTRY_POINT_RENAME(uspoof_check2UTF8)(
  const CausewayChecker *checker, const char *text, int32_t length, void *result, int *status);
int32_t U_ICU_ENTRY_POINT_RENAME(uspoof_getSkeletonUTF8)(
  const CausewayChecker *checker, uint32_t type, const char *text, int32_t length, char *skeleton,
  int32_t capacity, int *status);

typedef struct CausewayCollator CausewayCollator;
CausewayCollator *U_ICU_ENTRY_POINT_RENAME(ucol_open)(const char *locale, int *status);
void U_ICU_ENTRY_POINT_RENAME(ucol_close)(CausewayCollator *collator);
void U_ICU_ENTRY_POINT_RENAME(ucol_setStrength)(CausewayCollator *collator, int strength);
int U_ICU_ENTRY_POINT_RENAME(ucol_strcollUTF8)(
  const CausewayCollator *collator, const char *text, int32_t length, const char *other,
  int32_t other_length, int *status);

// Returns the order of all languages (UTS 10), or NULL if ICU fails.
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

static inline const char *causeway_icu_version(void) { return U_ICU_VERSION; }

// Writes the skeleton of a text (UTS 39, section 4), and returns its length in bytes; -1 if ICU
// fails or the skeleton is longer than the capacity.
static inline int32_t causeway_icu_skeleton(
  const char *text, int32_t length, char *skeleton, int32_t capacity) {
  // A positive status is an error; every function does nothing after an error.
  int status = 0;
  CausewayChecker *checker = U_ICU_ENTRY_POINT_RENAME(uspoof_open)(&status);
  int32_t written = U_ICU_ENTRY_POINT_RENAME(uspoof_getSkeletonUTF8)(
    checker, 0, text, length, skeleton, capacity, &status);
  U_ICU_ENTRY_POINT_RENAME(uspoof_close)(checker);
  return status <= 0 && written <= capacity ? written : -1;
}

// Returns whether a text mixes scripts that no language mixes (UTS 39, "highly restrictive") or
// digits of two scripts; -1 if ICU fails.
static inline int32_t causeway_icu_mixes_scripts(const char *text, int32_t length) {
  const int highly_restrictive = 0x30000000, restriction_level = 16, mixed_numbers = 128;
  int status = 0;
  CausewayChecker *checker = U_ICU_ENTRY_POINT_RENAME(uspoof_open)(&status);
  if (status > 0) return -1;
  U_ICU_ENTRY_POINT_RENAME(uspoof_setRestrictionLevel)(checker, highly_restrictive);
  U_ICU_ENTRY_POINT_RENAME(uspoof_setChecks)(checker, restriction_level | mixed_numbers, &status);
  int32_t found =
    U_ICU_ENTRY_POINT_RENAME(uspoof_check2UTF8)(checker, text, length, NULL, &status);
  U_ICU_ENTRY_POINT_RENAME(uspoof_close)(checker);
  return status <= 0 ? found != 0 : -1;
}

#endif
