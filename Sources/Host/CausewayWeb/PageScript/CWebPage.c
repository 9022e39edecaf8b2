#include "CWebPage.h"

// Clang knows the directive since version 19, in every version of C.
#ifndef __has_embed
#error "This C compiler does not know #embed; use the clang of Swift 6.2 or later."
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *page_actions_js(void) {
  static const char text[] = {
#embed "actions.js" suffix(, 0)
  };
  return text;
}

const char *page_address_js(void) {
  static const char text[] = {
#embed "address.js" suffix(, 0)
  };
  return text;
}

const char *page_bindings_js(void) {
  static const char text[] = {
#embed "bindings.js" suffix(, 0)
  };
  return text;
}

const char *page_connection_js(void) {
  static const char text[] = {
#embed "connection.js" suffix(, 0)
  };
  return text;
}

const char *page_controls_js(void) {
  static const char text[] = {
#embed "controls.js" suffix(, 0)
  };
  return text;
}

const char *page_drafts_js(void) {
  static const char text[] = {
#embed "drafts.js" suffix(, 0)
  };
  return text;
}

const char *page_events_js(void) {
  static const char text[] = {
#embed "events.js" suffix(, 0)
  };
  return text;
}

const char *page_focus_js(void) {
  static const char text[] = {
#embed "focus.js" suffix(, 0)
  };
  return text;
}

const char *page_keeping_js(void) {
  static const char text[] = {
#embed "keeping.js" suffix(, 0)
  };
  return text;
}

const char *page_kept_js(void) {
  static const char text[] = {
#embed "kept.js" suffix(, 0)
  };
  return text;
}

const char *page_page_js(void) {
  static const char text[] = {
#embed "page.js" suffix(, 0)
  };
  return text;
}

const char *page_patch_js(void) {
  static const char text[] = {
#embed "patch.js" suffix(, 0)
  };
  return text;
}

const char *page_paths_js(void) {
  static const char text[] = {
#embed "paths.js" suffix(, 0)
  };
  return text;
}

const char *page_places_js(void) {
  static const char text[] = {
#embed "places.js" suffix(, 0)
  };
  return text;
}

const char *page_queue_js(void) {
  static const char text[] = {
#embed "queue.js" suffix(, 0)
  };
  return text;
}

const char *page_reload_js(void) {
  static const char text[] = {
#embed "reload.js" suffix(, 0)
  };
  return text;
}

const char *page_removal_js(void) {
  static const char text[] = {
#embed "removal.js" suffix(, 0)
  };
  return text;
}

const char *page_rows_js(void) {
  static const char text[] = {
#embed "rows.js" suffix(, 0)
  };
  return text;
}

const char *page_service_js(void) {
  static const char text[] = {
#embed "service.js" suffix(, 0)
  };
  return text;
}

const char *page_status_js(void) {
  static const char text[] = {
#embed "status.js" suffix(, 0)
  };
  return text;
}

const char *page_storage_js(void) {
  static const char text[] = {
#embed "storage.js" suffix(, 0)
  };
  return text;
}

const char *page_tab_js(void) {
  static const char text[] = {
#embed "tab.js" suffix(, 0)
  };
  return text;
}

const char *page_upload_js(void) {
  static const char text[] = {
#embed "upload.js" suffix(, 0)
  };
  return text;
}

const char *page_worker_js(void) {
  static const char text[] = {
#embed "worker.js" suffix(, 0)
  };
  return text;
}
