import { ACCOUNTS, type Account, type AuditRecord, isWrite, readAuditLog } from "./audit-log.ts";
import type { Span } from "./play.ts";

/** Requests a minute. */
export type Rates = {
  readonly reads: number;
  readonly watches: number;
  readonly writes: number;
  /** Reads and writes of leases, which a standby also reads. */
  readonly renewals: number;
};

type Kind = keyof Rates;

function classify(record: AuditRecord): Kind {
  if (record.verb === "watch") return "watches";
  if (record.isLease) return "renewals";
  return isWrite(record) ? "writes" : "reads";
}

/** Counts each account's requests in a span. */
export async function measureRates(file: string, { from, to }: Span): Promise<ReadonlyMap<Account, Rates>> {
  const counts = new Map<string, number>();
  for await (const record of readAuditLog(file)) {
    if (record.at < from || record.at > to) continue;
    const key = `${record.account} ${classify(record)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const minutes = (to - from) / 60_000;
  const rate = (account: Account, kind: Kind): number => (counts.get(`${account} ${kind}`) ?? 0) / minutes;
  return new Map(
    ACCOUNTS.map((account) => [
      account,
      {
        reads: rate(account, "reads"),
        watches: rate(account, "watches"),
        writes: rate(account, "writes"),
        renewals: rate(account, "renewals"),
      },
    ]),
  );
}
