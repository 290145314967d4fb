const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** YYYY-MM-DD, a day that exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const days = month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/;

/** A date, T, a time of day with an offset. As in the API server, anything after a second T is ignored. */
export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = TIME.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

/** Go's own durations: "1h30m", "-1.5s", "0". */
const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;
const MAX_INT64 = 2n ** 63n - 1n;
const UNIT = /^(?:ns|us|\u00b5s|ms|s|m|h|hr|d|w|wk|(?:nano|micro|milli|sec|min|hour|day|week).*)$/;

/** A Go duration, or any text that contains a number and a unit of time such as "3 days". */
export function isDuration(text: string): boolean {
  if (GO_DURATION.test(text) && hasOnlyInt64Numbers(text.replaceAll(/\.\d*/g, ""))) return true;
  // The unit is optional, so that the pattern never backtracks to a later digit.
  const parts = [...text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]*)/g)].filter((part) => part[2] !== "");
  if (!hasOnlyInt64Numbers(parts.map((part) => part[1]).join(" "))) return false;
  return parts.some((part) => UNIT.test((part[2] ?? "").toLowerCase()));
}

/** Do all numbers in the text fit 64 bits? */
function hasOnlyInt64Numbers(text: string): boolean {
  return [...text.matchAll(/\d+/g)].every(([digits]) => digits.length < 19 || BigInt(digits.slice(0, 40)) <= MAX_INT64);
}
