import { Counter, Gauge, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** What a process shows to Prometheus: the metrics that are made here, in their order. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registers,
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers }),
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  };
}
