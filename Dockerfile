# The service, `entitled serve`. To move to a newer patch release, change the tag here and rebuild.
FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        libssl-dev libpq-dev libevent-dev libcurl4-openssl-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN swift build --configuration release --product entitled --static-swift-stdlib \
    && install -D --strip "$(swift build --configuration release --show-bin-path)/entitled" /out/entitled

FROM debian:12.11-slim
# curl asks for the health check.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates curl libcurl4 libpq5 libssl3 \
        libevent-2.1-7 libevent-openssl-2.1-7 libevent-pthreads-2.1-7 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin entitled
COPY --from=build /out/entitled /usr/local/bin/entitled
# Fails here, not in production, if a library is missing.
RUN entitled --help >/dev/null
WORKDIR /srv/entitled
COPY Migrations Migrations
USER entitled
ENV ENTITLED_LISTEN=0.0.0.0:8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["curl", "--fail", "--silent", "--show-error", "--output", "/dev/null", "http://127.0.0.1:8080/readyz"]
# SIGTERM lets held polls and appends in flight end.
STOPSIGNAL SIGTERM
ENTRYPOINT ["entitled"]
CMD ["serve"]
