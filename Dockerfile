# syntax=docker/dockerfile:1
# One image for API, worker, migrations and `npm run admin`, which differ in the command (docker-compose.yml).
ARG NODE_IMAGE=node:24-bookworm-slim
# The version of the server in docker-compose.yml: pg_dump must not be older.
ARG POSTGRES_IMAGE=pgvector/pgvector:0.8.1-pg18

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
# No package needs its install script, and some would download unused files.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node prepare.mjs

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
# Removes optional packages of build tools, and Prisma's command line, a peer of its client: a third of the image.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# Temporal's native module contains every platform.
RUN cd node_modules/@temporalio/core-bridge/releases && ls | grep --invert-match "^$(uname -m)-unknown-linux-gnu$" | xargs rm -r

# Backup and restore (docs/backup.md), which need Postgres's own programs: `docker build --target save`.
FROM ${POSTGRES_IMAGE} AS save
# Libraries that Node is linked with.
RUN apt-get update && apt-get install --yes --no-install-recommends libstdc++6 libatomic1 && rm -rf /var/lib/apt/lists/*
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
# Fails here rather than at the first backup.
RUN node --version && pg_dump --version && pg_restore --version
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/dist ./dist
USER postgres
ENTRYPOINT ["node", "dist/api/admin/main.js"]

# Packages are a separate layer, here and above: they rarely change, so a push or a pull skips them.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/dist ./dist
# The image's user `node` as a number, because Kubernetes cannot tell whether a name is root.
USER 1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without a shell or npm in between, so that the process gets SIGTERM and drains.
CMD ["node", "dist/api/main.js"]
