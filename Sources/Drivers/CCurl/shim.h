#ifndef CAUSEWAY_CCURL_SHIM_H
#define CAUSEWAY_CCURL_SHIM_H

// The type checks of curl.h are macros around the variadic functions, and the macros need constant
// options.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

// Swift cannot call variadic C functions, so each type of option has a function here.

static inline CURLcode causeway_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode causeway_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode causeway_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode causeway_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

// Writing, reading and header functions have the same type.
typedef size_t (*causeway_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode causeway_curl_set_bytes_function(
    CURL *easy, CURLoption option, causeway_curl_bytes function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode causeway_curl_set_seek_function(
    CURL *easy, int (*function)(void *context, curl_off_t offset, int origin)) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

#if LIBCURL_VERSION_NUM < 0x075000
#error "libcurl 7.80 or newer is needed: an older one may send a request twice without asking."
#endif

// Calls the function each time before the request is sent.
static inline CURLcode causeway_curl_set_send_function(
    CURL *easy, int (*function)(void *context, char *, char *, int, int), void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
  return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline CURLcode causeway_curl_allow_web_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  return code ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  long web = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS, web);
  return code ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, web);
#endif
}

// Makes libcurl end a request without waiting for the thread that looks up the server's address.
// libcurl before 7.87 always waits.
static inline void causeway_curl_leave_resolver_alone(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

static inline long causeway_curl_system_error(CURL *easy) {
  long number = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &number);
  return number;
}

static inline CURLMcode causeway_curl_multi_set_number(
    CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Returns the CURLOPT_PRIVATE value of the next transfer that has ended; null if there is none. The
// message is a union, which is easier to read in C.
static inline void *causeway_curl_next_ended(CURLM *multi, CURLcode *result) {
  int left = 0;
  for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
    if (message->msg != CURLMSG_DONE) continue;
    char *context = NULL;
    *result = message->data.result;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
    return context;
  }
  return NULL;
}

#endif
