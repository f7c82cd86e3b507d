# payrun with an external PostgreSQL and Redis, set by DATABASE_URL and REDIS_URL; see docker-compose.yml.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Only runtime files: the image has its own Node and uses an external PostgreSQL.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-fund --no-audit

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS dashboard
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY scripts/node ./scripts/node
COPY tsconfig.json ./
COPY dashboard ./dashboard
RUN npm run build

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PAYRUN_DATA=/data
COPY --from=packages /app/node_modules ./node_modules
# A release contains its commit and its packages; an image of a checkout does not know its commit.
COPY package.json payrun build.jso[n] sbom.cdx.jso[n] ./
COPY scripts/node ./scripts/node
COPY src ./src
COPY jobs ./jobs
COPY workers ./workers
COPY migrations ./migrations
COPY --from=dashboard /app/dashboard/dist ./dashboard/dist
COPY simulator ./simulator
COPY samples ./samples
COPY docs/operate/runbook.md ./docs/operate/runbook.md
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The launcher's shell scripts use exec, so signals reach payrun itself.
ENTRYPOINT ["./payrun"]
CMD ["serve"]
