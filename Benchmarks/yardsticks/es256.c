// Bare ES256 verification with OpenSSL: SHA-256 of the signing input and one P-256 verification, prepared once.
// Arguments: files with the public key (SubjectPublicKeyInfo), the signing input and the signature (both DER).
// Each line on standard input is a count; the answer is the nanoseconds of the wall clock and of the CPU it took.
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    unsigned char *bytes = malloc(1 << 20);
    *length = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static long long now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    size_t key_length, input_length, signature_length;
    unsigned char *key_bytes = read_file(argv[1], &key_length);
    unsigned char *input = read_file(argv[2], &input_length);
    unsigned char *signature = read_file(argv[3], &signature_length);
    const unsigned char *cursor = key_bytes;
    EVP_PKEY *key = d2i_PUBKEY(NULL, &cursor, (long)key_length);
    EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    if (!context || EVP_PKEY_verify_init(context) != 1) return 1;
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        long count = strtol(line, NULL, 10);
        long long wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        for (long i = 0; i < count; i++) {
            unsigned char hash[SHA256_DIGEST_LENGTH];
            SHA256(input, input_length, hash);
            if (EVP_PKEY_verify(context, signature, signature_length, hash, sizeof hash) != 1) return 1;
        }
        printf("%lld %lld\n", now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        fflush(stdout);
    }
    return 0;
}
