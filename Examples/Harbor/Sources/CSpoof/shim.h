#ifndef HARBOR_CSPOOF_SHIM_H
#define HARBOR_CSPOOF_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <unicode/uvernum.h>

// ICU's other headers are not included: Swift's Foundation contains another version of ICU, and the
// compiler refuses two definitions of the same types. The version is in the names of the functions.
typedef struct HarborChecker HarborChecker;
HarborChecker *U_ICU_ENTRY_POINT_RENAME(uspoof_open)(int *status);
void U_ICU_ENTRY_POINT_RENAME(uspoof_close)(HarborChecker *checker);
void U_ICU_ENTRY_POINT_RENAME(uspoof_setRestrictionLevel)(HarborChecker *checker, int level);
void U_ICU_ENTRY_POINT_RENAME(uspoof_setChecks)(
  HarborChecker *checker, int32_t checks, int *status);
int32_t U_ICU_ENTRY_POINT_RENAME(uspoof_check2UTF8)(
  const HarborChecker *checker, const char *text, int32_t length, void *result, int *status);
int32_t U_ICU_ENTRY_POINT_RENAME(uspoof_getSkeletonUTF8)(
  const HarborChecker *checker, uint32_t type, const char *text, int32_t length, char *skeleton,
  int32_t capacity, int *status);

static inline const char *harbor_icu_version(void) { return U_ICU_VERSION; }

// Writes the skeleton of a text (UTS 39, section 4), and returns its length in bytes; -1 if ICU
// fails or the skeleton is longer than the capacity.
static inline int32_t harbor_icu_skeleton(
  const char *text, int32_t length, char *skeleton, int32_t capacity) {
  // A positive status is an error; every function does nothing after an error.
  int status = 0;
  HarborChecker *checker = U_ICU_ENTRY_POINT_RENAME(uspoof_open)(&status);
  int32_t written = U_ICU_ENTRY_POINT_RENAME(uspoof_getSkeletonUTF8)(
    checker, 0, text, length, skeleton, capacity, &status);
  U_ICU_ENTRY_POINT_RENAME(uspoof_close)(checker);
  return status <= 0 && written <= capacity ? written : -1;
}

// Returns whether a text mixes scripts that no language mixes (UTS 39, "highly restrictive") or
// digits of two scripts; -1 if ICU fails.
static inline int32_t harbor_icu_mixes_scripts(const char *text, int32_t length) {
  const int highly_restrictive = 0x30000000, restriction_level = 16, mixed_numbers = 128;
  int status = 0;
  HarborChecker *checker = U_ICU_ENTRY_POINT_RENAME(uspoof_open)(&status);
  if (status > 0) return -1;
  U_ICU_ENTRY_POINT_RENAME(uspoof_setRestrictionLevel)(checker, highly_restrictive);
  U_ICU_ENTRY_POINT_RENAME(uspoof_setChecks)(checker, restriction_level | mixed_numbers, &status);
  int32_t found =
    U_ICU_ENTRY_POINT_RENAME(uspoof_check2UTF8)(checker, text, length, NULL, &status);
  U_ICU_ENTRY_POINT_RENAME(uspoof_close)(checker);
  return status <= 0 ? found != 0 : -1;
}

#endif
