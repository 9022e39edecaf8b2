#include "CInspectorPage.h"

// Clang knows the directive since version 19, in every version of C.
#ifndef __has_embed
#error "This C compiler does not know #embed; use the clang of Swift 6.2 or later."
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *inspector_page_inspector_css(void) {
  static const char text[] = {
#embed "inspector.css" suffix(, 0)
  };
  return text;
}

const char *inspector_page_inspector_html(void) {
  static const char text[] = {
#embed "inspector.html" suffix(, 0)
  };
  return text;
}

const char *inspector_page_inspector_js(void) {
  static const char text[] = {
#embed "inspector.js" suffix(, 0)
  };
  return text;
}

const char *inspector_page_timeline_css(void) {
  static const char text[] = {
#embed "timeline.css" suffix(, 0)
  };
  return text;
}
