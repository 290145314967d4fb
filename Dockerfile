# The runner's image: `podman build .` in a clone. The bundle is the same for every architecture, so the build machine's own builds it, and
# nothing of another architecture runs. tools/image.sh does the same where no registry can be reached. A release takes bases by their
# digests alone: `npm run release:bases` writes them here.
ARG BUILDER=docker.io/library/node:24-bookworm-slim
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM --platform=$BUILDPLATFORM ${BUILDER} AS build
WORKDIR /src
COPY . .
RUN node tools/bootstrap.mjs build

FROM --platform=$TARGETPLATFORM ${BASE}
COPY LICENSE /licenses/
COPY --from=build /src/dist/licenses.txt /licenses/
COPY schemas/ /usr/share/preflight/schemas/
COPY --from=build /src/dist/package.json /src/dist/preflight /usr/lib/preflight/
# The Deployment in deploy/runner overrides this: writing to the folder on the node requires root.
USER 65532
# As the file's first line sets it.
ENV MALLOC_ARENA_MAX=1
ENTRYPOINT ["node", "--max-semi-space-size=4", "--max-old-space-size=192", "/usr/lib/preflight/preflight"]
LABEL io.k8s.display-name="target-release-preflight" \
      io.k8s.description="Checks whether this cluster is ready for an update to a target release"
