# The runner's image: the bundle on a base image with Node 24, for the base image's architecture. The build downloads and runs nothing.
# tools/image.sh builds it, with its own base image where it can't reach a registry.
ARG BASE
FROM ${BASE}
COPY LICENSE dist/licenses.txt /licenses/
COPY schemas/ /usr/share/preflight/schemas/
COPY dist/package.json dist/preflight /usr/lib/preflight/
# The Deployment in deploy/runner overrides this: writing to the folder on the node requires root.
USER 65532
ENTRYPOINT ["node", "--max-semi-space-size=2", "--max-old-space-size=192", "--optimize-for-size", "/usr/lib/preflight/preflight"]
LABEL io.k8s.display-name="target-release-preflight" \
      io.k8s.description="Checks whether this cluster is ready for an update to a target release"
