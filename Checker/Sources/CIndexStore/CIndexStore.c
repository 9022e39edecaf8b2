// The target has declarations only; the package manager asks for a source file.
#include "CIndexStore.h"
