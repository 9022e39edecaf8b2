#include "CHarborPage.h"

// Clang knows the directive since version 19, in every version of C.
#ifndef __has_embed
#error "This C compiler does not know #embed; use the clang of Swift 6.2 or later."
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *board_css(void) {
  static const char text[] = {
#embed "board.css" suffix(, 0)
  };
  return text;
}

const char *fields_html(void) {
  static const char text[] = {
#embed "fields.html" suffix(, 0)
  };
  return text;
}

const char *harbor_css(void) {
  static const char text[] = {
#embed "harbor.css" suffix(, 0)
  };
  return text;
}

const char *harbor_js(void) {
  static const char text[] = {
#embed "harbor.js" suffix(, 0)
  };
  return text;
}

const char *harbor_svg(void) {
  static const char text[] = {
#embed "harbor.svg" suffix(, 0)
  };
  return text;
}

const char *index_html(void) {
  static const char text[] = {
#embed "index.html" suffix(, 0)
  };
  return text;
}

const char *layout_css(void) {
  static const char text[] = {
#embed "layout.css" suffix(, 0)
  };
  return text;
}

const char *palette_css(void) {
  static const char text[] = {
#embed "palette.css" suffix(, 0)
  };
  return text;
}

const char *places_css(void) {
  static const char text[] = {
#embed "places.css" suffix(, 0)
  };
  return text;
}
