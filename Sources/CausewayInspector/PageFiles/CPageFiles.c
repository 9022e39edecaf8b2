#include "CPageFiles.h"

// Clang knows the directive since version 19, in every version of C.
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
