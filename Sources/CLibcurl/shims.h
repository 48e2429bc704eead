// libcurl for Swift: the headers, and shims for variadic functions that Swift cannot call.
#pragma once
#include <curl/curl.h>

static inline CURLcode CLibcurl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// The text is copied.
static inline CURLcode CLibcurl_set_text(CURL *easy, CURLoption option, const char *text) {
    return curl_easy_setopt(easy, option, text);
}

// The list stays the caller's, until the handle is freed.
static inline CURLcode CLibcurl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// The bytes are copied. Without a pointer libcurl would ask a callback for the body.
static inline CURLcode CLibcurl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    if (code != CURLE_OK) return code;
    return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes == NULL ? "" : bytes);
}

typedef size_t (*CLibcurl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode CLibcurl_set_receivers(
    CURL *easy, CLibcurl_receiver head, CLibcurl_receiver body, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    return code;
}

static inline CURLMcode CLibcurl_limit_connections(CURLM *multi, long count) {
    return curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, count);
}

static inline long CLibcurl_status(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
