import { setTimeout as sleep } from "node:timers/promises";
import { type FiringAlert, findRiskAlert } from "../operator/operator-model.ts";

export type AlertStore = {
  /** The alerts on the runner's risks that fire, by name. */
  readonly firing: () => readonly FiringAlert[];
  readonly stop: () => Promise<void>;
};

export type AlertTimes = { readonly intervalMs: number; readonly keepFiringMs: number };

/** Prometheus as far as the alerts on risks need it: it scrapes the runner, and an alert fires a while longer than its cause. */
export function startAlertStore(metricsUrl: string, { intervalMs, keepFiringMs }: AlertTimes): AlertStore {
  const stopping = new AbortController();
  const lastSeen = new Map<string, { readonly alert: FiringAlert; readonly at: number }>();
  const evaluate = async (): Promise<void> => {
    const text = await scrape(metricsUrl);
    for (const { name, source, target } of parseRisks(text ?? ""))
      lastSeen.set(name, { alert: findRiskAlert(name, { source, target }), at: Date.now() });
    for (const [name, { at }] of lastSeen) if (Date.now() - at > keepFiringMs) lastSeen.delete(name);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await evaluate();
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    firing: () => [...lastSeen.values()].map(({ alert }) => alert),
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}

async function scrape(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

type RiskSeries = { readonly name: string; readonly source: string; readonly target: string };

const SERIES = /^preflight_risk\{(?<labels>[^}]*)\} (?<value>\S+)/gm;

function parseRisks(text: string): readonly RiskSeries[] {
  return [...text.matchAll(SERIES)]
    .filter(({ groups }) => Number(groups?.["value"]) > 0)
    .map(({ groups }) => {
      const labels = new Map(
        [...(groups?.["labels"] ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
      );
      return {
        name: labels.get("name") ?? "",
        source: labels.get("source") ?? "",
        target: labels.get("target") ?? "",
      };
    });
}
