#ifndef HARBOR_CMAILCURL_SHIM_H
#define HARBOR_CMAILCURL_SHIM_H

// The type checks of curl.h are macros around the variadic functions, and they accept only constant
// options.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

// Swift cannot call variadic C functions, so each type of option has a function here.

static inline CURLcode harbor_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode harbor_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode harbor_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode harbor_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

// Writing, reading and header functions have the same type.
typedef size_t (*harbor_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode harbor_curl_set_bytes_function(
    CURL *easy, CURLoption option, harbor_curl_bytes function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode harbor_curl_allow_mail_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

// The function ends a transfer if its result is not 0.
static inline CURLcode harbor_curl_set_progress_function(
    CURL *easy,
    int (*function)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t),
    void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  return code ? code : curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

static inline long harbor_curl_response_code(CURL *easy) {
  long number = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &number);
  return number;
}

// Makes libcurl end a request without waiting for the thread that looks up the server's address.
// libcurl before 7.87 always waits.
static inline void harbor_curl_leave_resolver_alone(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

#endif
