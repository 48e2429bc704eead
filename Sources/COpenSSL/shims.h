// OpenSSL for Swift: the headers, and shims for macros and variadic functions that Swift cannot call.
#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Variadic: the curve name is an argument of EVP_PKEY_Q_keygen.
static inline EVP_PKEY *COpenSSL_generate_ec_key(const char *curve) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
}

static inline EVP_PKEY *COpenSSL_generate_ed25519_key(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}

// Macros over the generic stack. The stack lends its certificates: freeing it leaves them alone.
static inline STACK_OF(X509) *COpenSSL_x509_stack_of(X509 *certificate) {
    STACK_OF(X509) *stack = sk_X509_new_null();
    if (stack != NULL && sk_X509_push(stack, certificate) == 0) {
        sk_X509_free(stack);
        return NULL;
    }
    return stack;
}

static inline void COpenSSL_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }

static inline int COpenSSL_x509_stack_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }

static inline X509 *COpenSSL_x509_stack_get(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

// Macro over BIO_ctrl. The bytes are lent by the BIO.
static inline long COpenSSL_bio_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

// The flags are a macro of macros. One line, letters beyond ASCII as they are.
static inline int COpenSSL_print_name(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
}
