import { formatJsonText } from "../../model/visible-text.ts";
import { createPageFormats } from "../text/page-formats.ts";
import { type ManifestsView, buildManifestsPage } from "./manifests-page.ts";
import {
  formatManifestsGithub,
  formatManifestsGitlab,
  formatManifestsJunit,
  formatManifestsSarif,
} from "./programs.ts";

/** The output formats of `preflight manifests`, by name. */
export const manifestsFormats = {
  ...createPageFormats(buildManifestsPage),
  json: ({ report }: ManifestsView) => formatJsonText(report),
  sarif: formatManifestsSarif,
  junit: formatManifestsJunit,
  github: formatManifestsGithub,
  gitlab: formatManifestsGitlab,
};
