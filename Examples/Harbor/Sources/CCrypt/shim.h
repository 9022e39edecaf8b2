#ifndef HARBOR_CCRYPT_SHIM_H
#define HARBOR_CCRYPT_SHIM_H

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

// struct crypt_data holds arrays that Swift would import as tuples of 32,767 elements. Copies the
// hash of a text, with its setting in front, or nothing when the system cannot make it.
static inline void harbor_crypt(
  const char *text, const char *setting, char *hash, size_t size) {
  hash[0] = 0;
  struct crypt_data *scratch = calloc(1, sizeof *scratch);
  if (!scratch) return;
  const char *made = crypt_r(text, setting, scratch);
  if (made && strlen(made) < size) strcpy(hash, made);
  free(scratch);
}

#endif
