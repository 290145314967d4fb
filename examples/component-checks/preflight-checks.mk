# Keeps the checks that a component ships in the payload current and sound. Needs the preflight executable, make, sed and diff.
#
#   preflight/NAME/check.yaml  a check, with its cases beside it
#   PREFLIGHT_MANIFEST         the ConfigMap that the release ships. What is above its line "data:" is yours.

PREFLIGHT ?= preflight
PREFLIGHT_MANIFEST ?= $(or $(wildcard manifests/*preflight-checks.yaml),$(error there is no manifests/*preflight-checks.yaml))

define print-preflight-manifest
{ sed '/^data:$$/q' $(PREFLIGHT_MANIFEST) && \
  for file in preflight/*/check.yaml; do \
    printf '  %s.yaml: |\n' "$$(basename "$$(dirname "$$file")")" && sed 's/^./    &/' "$$file" || exit 1; \
  done; }
endef

.PHONY: preflight-manifest verify-preflight

# Writes the checks into the manifest.
preflight-manifest:
	@$(print-preflight-manifest) >$(PREFLIGHT_MANIFEST).new
	@mv $(PREFLIGHT_MANIFEST).new $(PREFLIGHT_MANIFEST)

# For CI: the checks have no mistakes and their cases report what they expect, and the manifest has these checks.
verify-preflight:
	$(PREFLIGHT) checks lint --strict --as payload preflight
	$(PREFLIGHT) checks test preflight
	@$(print-preflight-manifest) | diff -u $(PREFLIGHT_MANIFEST) -
	$(PREFLIGHT) checks lint --strict $(PREFLIGHT_MANIFEST)
