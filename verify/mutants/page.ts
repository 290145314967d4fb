import { updatePage } from "../shared/markdown.ts";
import type { CampaignResult } from "./campaign.ts";

export function writeFolder(..._: unknown[]): void {
  void updatePage;
}
