// The files of the inspector's page, which are built into the program.
//
// Each function returns the text of the file with the function's name. As resources of a Swift
// target, the files would be arrays of numbers, which the optimizer reads for many seconds.
#pragma once

const char *_Nonnull inspector_page_inspector_css(void);
const char *_Nonnull inspector_page_inspector_html(void);
const char *_Nonnull inspector_page_inspector_js(void);
const char *_Nonnull inspector_page_timeline_css(void);
