// Harbor's page, which is built into the program.
//
// Each function returns the text of the file with the function's name. As resources of a Swift
// target, the files would be arrays of numbers, which the optimizer reads for many seconds.
#pragma once

const char *_Nonnull board_css(void);
const char *_Nonnull fields_html(void);
const char *_Nonnull harbor_css(void);
const char *_Nonnull harbor_js(void);
const char *_Nonnull harbor_svg(void);
const char *_Nonnull index_html(void);
const char *_Nonnull layout_css(void);
const char *_Nonnull palette_css(void);
const char *_Nonnull places_css(void);
