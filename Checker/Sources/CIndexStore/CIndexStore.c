// The target has declarations only, but the package manager requires a source file.
#include "CIndexStore.h"
