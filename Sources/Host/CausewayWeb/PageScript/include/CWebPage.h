// The scripts of a page, which are built into the program.
//
// Each function returns the text of the file with the function's name. As resources of a Swift
// target, the files would be arrays of numbers, which the optimizer reads for many seconds.
#pragma once

const char *_Nonnull page_actions_js(void);
const char *_Nonnull page_address_js(void);
const char *_Nonnull page_bindings_js(void);
const char *_Nonnull page_connection_js(void);
const char *_Nonnull page_controls_js(void);
const char *_Nonnull page_drafts_js(void);
const char *_Nonnull page_events_js(void);
const char *_Nonnull page_focus_js(void);
const char *_Nonnull page_keeping_js(void);
const char *_Nonnull page_kept_js(void);
const char *_Nonnull page_page_js(void);
const char *_Nonnull page_patch_js(void);
const char *_Nonnull page_paths_js(void);
const char *_Nonnull page_places_js(void);
const char *_Nonnull page_queue_js(void);
const char *_Nonnull page_reload_js(void);
const char *_Nonnull page_removal_js(void);
const char *_Nonnull page_rows_js(void);
const char *_Nonnull page_service_js(void);
const char *_Nonnull page_status_js(void);
const char *_Nonnull page_storage_js(void);
const char *_Nonnull page_tab_js(void);
const char *_Nonnull page_upload_js(void);
const char *_Nonnull page_worker_js(void);
