#ifndef CAUSEWAY_GNUTLS_SHIM_H
#define CAUSEWAY_GNUTLS_SHIM_H

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#endif
