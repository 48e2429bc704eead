// Bare insert of event rows: INSERT ... SELECT FROM unnest, 1000 rows a commit, into a table with a sequence as its primary
// key and the index that recognises repeats. Nothing is checked, no head and no snapshot is moved.
// Arguments: connection string, bytes of the payload. Each line on standard input is a number of commits; the answer is
// the nanoseconds of the wall clock that they took, and of this program's processor time.
#include <arpa/inet.h>
#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { ROWS = 1000, COLUMNS = 5, UUID = 2950, INT2 = 21, BYTEA = 17, TEXT = 25 };

struct array {
    char *bytes;
    size_t length;
};

static void put32(struct array *array, uint32_t value) {
    value = htonl(value);
    memcpy(array->bytes + array->length, &value, 4);
    array->length += 4;
}

// A binary array of ROWS elements of random bytes.
static void fill(struct array *array, uint32_t type, uint32_t size) {
    array->length = 0;
    put32(array, 1);
    put32(array, 0);
    put32(array, type);
    put32(array, ROWS);
    put32(array, 1);
    for (int row = 0; row < ROWS; row++) {
        put32(array, size);
        for (uint32_t done = 0; done < size;) {
            uint32_t part = size - done > 256 ? 256 : size - done;
            if (getrandom(array->bytes + array->length, part, 0) < 0) exit(1);
            if (type == TEXT)
                for (uint32_t i = 0; i < part; i++)
                    array->bytes[array->length + i] = '0' + (array->bytes[array->length + i] & 7);
            array->length += part;
            done += part;
        }
    }
}

static void run(PGconn *connection, const char *sql) {
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        fprintf(stderr, "%s", PQerrorMessage(connection));
        exit(1);
    }
    PQclear(result);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    uint32_t payload = (uint32_t)strtoul(argv[2], NULL, 10);
    uint32_t types[COLUMNS] = {UUID, UUID, TEXT, BYTEA, BYTEA}, sizes[COLUMNS] = {16, 16, 16, 64, payload};
    PGconn *connection = PQconnectdb(argv[1]);
    if (PQstatus(connection) != CONNECTION_OK) {
        fprintf(stderr, "%s", PQerrorMessage(connection));
        return 1;
    }
    run(connection, "SET client_min_messages = warning");
    // Several of these programs start at once.
    run(connection, "SELECT pg_advisory_xact_lock(1); "
                    "CREATE TABLE IF NOT EXISTS public.bare_event (position bigserial PRIMARY KEY, at timestamptz NOT NULL "
                    "DEFAULT now(), stream_id uuid NOT NULL, dedupe_key uuid NOT NULL, transaction_id text NOT NULL, "
                    "signature bytea NOT NULL, payload bytea NOT NULL, UNIQUE (stream_id, dedupe_key))");
    PGresult *prepared = PQprepare(
        connection, "insert",
        "INSERT INTO public.bare_event (stream_id, dedupe_key, transaction_id, signature, payload) "
        "SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::bytea[])",
        COLUMNS, NULL);
    if (PQresultStatus(prepared) != PGRES_COMMAND_OK) return 1;
    struct array arrays[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        arrays[i].bytes = malloc(20 + (size_t)ROWS * (4 + sizes[i]));
        fill(&arrays[i], types[i], sizes[i]);
    }
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        long commits = strtol(line, NULL, 10);
        long long nanoseconds = 0, cpu = 0;
        for (long commit = 0; commit < commits; commit++) {
            // New keys, made outside the measured time.
            fill(&arrays[0], types[0], sizes[0]);
            fill(&arrays[1], types[1], sizes[1]);
            const char *values[COLUMNS];
            int lengths[COLUMNS], formats[COLUMNS];
            for (int i = 0; i < COLUMNS; i++) {
                values[i] = arrays[i].bytes;
                lengths[i] = (int)arrays[i].length;
                formats[i] = 1;
            }
            struct timespec begin, end, cpu_begin, cpu_end;
            clock_gettime(CLOCK_MONOTONIC, &begin);
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_begin);
            PGresult *result = PQexecPrepared(connection, "insert", COLUMNS, values, lengths, formats, 1);
            clock_gettime(CLOCK_MONOTONIC, &end);
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_end);
            if (PQresultStatus(result) != PGRES_COMMAND_OK) {
                fprintf(stderr, "%s", PQerrorMessage(connection));
                return 1;
            }
            PQclear(result);
            nanoseconds += (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec;
            cpu += (cpu_end.tv_sec - cpu_begin.tv_sec) * 1000000000LL + cpu_end.tv_nsec - cpu_begin.tv_nsec;
        }
        printf("%lld %lld\n", nanoseconds, cpu);
        fflush(stdout);
    }
    PQfinish(connection);
    return 0;
}
