#ifndef HARBOR_CCRYPT_SHIM_H
#define HARBOR_CCRYPT_SHIM_H

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

// struct crypt_data contains arrays that Swift would import as tuples of 32,767 elements. The
// function copies the hash of a text, which begins with its setting. It copies an empty text if the
// system cannot make the hash.
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
