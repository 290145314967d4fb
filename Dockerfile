# The runner's image: the bundle on a base image with Node 24, of whichever architecture that has; nothing is fetched or run while building.
# tools/image.sh builds it, with a base of its own where no registry is reached.
ARG BASE
FROM ${BASE}
COPY LICENSE dist/licenses.txt /licenses/
COPY schemas/ /usr/share/preflight/schemas/
COPY dist/package.json dist/preflight /usr/lib/preflight/
# The Deployment in deploy/runner overrides this: to write to the node's folder takes root.
USER 65532
ENTRYPOINT ["node", "--max-semi-space-size=2", "--max-old-space-size=192", "--optimize-for-size", "/usr/lib/preflight/preflight"]
LABEL io.k8s.display-name="target-release-preflight" \
      io.k8s.description="Says what a target release has against this cluster as it is, before an update is started"
