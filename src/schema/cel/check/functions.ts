import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  listType,
  mapType,
  opaqueType,
  optionalType,
  parameterType,
  structType,
  typeType,
} from "./types.ts";

/** One signature of a function; `id` names it among all: "matches string.(string)". A method's first argument is what it is called on. */
export type Overload = {
  readonly id: string;
  readonly isMethod: boolean;
  readonly parameters: readonly string[];
  readonly args: readonly Type[];
  readonly result: Type;
};

/**
 * What the API server of Kubernetes 1.36 declares for rules (the environment of new expressions: cel-go's own functions and Kubernetes'
 * libraries up to its minor 1.35). Names, a colon, and the signatures in the order in which they are tried; capitals are parameters.
 */
const OPERATORS = `
!_ @not_strictly_false : (bool) bool
-_ : (double) double | (int) int
@in : (A, list(A)) bool | (A, map(A, B)) bool
@sortByAssociatedKeys : list(T).(list(int)) list(T) | list(T).(list(uint)) list(T) |
    list(T).(list(double)) list(T) | list(T).(list(bool)) list(T) | list(T).(list(duration)) list(T) |
    list(T).(list(timestamp)) list(T) | list(T).(list(string)) list(T) | list(T).(list(bytes)) list(T)
_!=_ _==_ : (A, A) bool
_%_ : (int, int) int | (uint, uint) uint
_&&_ _||_ : (bool, bool) bool
_*_ _/_ : (double, double) double | (int, int) int | (uint, uint) uint
_+_ : (bytes, bytes) bytes | (double, double) double | (duration, duration) duration |
    (duration, timestamp) timestamp | (timestamp, duration) timestamp | (int, int) int |
    (list(A), list(A)) list(A) | (string, string) string | (uint, uint) uint
_-_ : (double, double) double | (duration, duration) duration | (int, int) int | (timestamp, duration) timestamp |
    (timestamp, timestamp) duration | (uint, uint) uint
_<=_ _<_ _>=_ _>_ : (bool, bool) bool | (int, int) bool | (int, double) bool | (int, uint) bool |
    (uint, uint) bool | (uint, double) bool | (uint, int) bool | (double, double) bool | (double, int) bool |
    (double, uint) bool | (string, string) bool | (bytes, bytes) bool | (timestamp, timestamp) bool |
    (duration, duration) bool
_?._ : (dyn, string) optional_type(V)
_?_:_ : (bool, A, A) A
_[?_] : (list(V), int) optional_type(V) | (optional_type(list(V)), int) optional_type(V) |
    (map(K, V), K) optional_type(V) | (optional_type(map(K, V)), K) optional_type(V)
_[_] : (list(A), int) A | (map(A, B), A) B | (optional_type(list(V)), int) optional_type(V) |
    (optional_type(map(K, V)), K) optional_type(V)
`;

const FUNCTIONS = `
add sub : k8s:Quantity.(k8s:Quantity) k8s:Quantity | k8s:Quantity.(int) k8s:Quantity
allowed errored : auth:Decision.() bool
asApproximateFloat : k8s:Quantity.() double
asInteger : k8s:Quantity.() int
bool : (bool) bool | (string) bool
bytes : (bytes) bytes | (string) bytes
cel.@mapInsert : (map(K, V), K, V) map(K, V) | (map(K, V), map(K, V)) map(K, V)
charAt : string.(int) string
check : auth:PathCheck.(string) auth:Decision | auth:ResourceCheck.(string) auth:Decision
cidr : (string) net:CIDR
compareTo : k8s:Quantity.(k8s:Quantity) int | k8s:Semver.(k8s:Semver) int
contains endsWith startsWith : string.(string) bool
containsCIDR : net:CIDR.(string) bool | net:CIDR.(net:CIDR) bool
containsIP : net:CIDR.(string) bool | net:CIDR.(net:IP) bool
distinct reverse : list(T).() list(T)
double : (double) double | (int) double | (string) double | (uint) double
duration : (duration) duration | (int) duration | (string) duration
dyn : (A) dyn
error reason : auth:Decision.() string
family : net:IP.() int
fieldSelector labelSelector name namespace subresource : auth:ResourceCheck.(string) auth:ResourceCheck
find : string.(string) string
findAll split : string.(string) list(string) | string.(string, int) list(string)
first last : list(V).() optional_type(V)
flatten : list(list(T)).() list(T) | list(dyn).(int) list(dyn)
format : string.(list(dyn)) string
format.byte format.date format.datetime format.dns1035Label format.dns1035LabelPrefix format.dns1123Label format.dns1123LabelPrefix format.dns1123Subdomain format.dns1123SubdomainPrefix format.labelValue format.qualifiedName format.uri format.uuid :
    () k8s:NamedFormat
format.named : (string) optional_type(k8s:NamedFormat)
getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getMonth : timestamp.() int | timestamp.(string) int
getEscapedPath getHost getHostname getPort getScheme : k8s:URL.() string
getHours getMilliseconds getMinutes getSeconds : timestamp.() int | timestamp.(string) int | duration.() int
getQuery : k8s:URL.() map(string, list(string))
group : auth:Authorizer.(string) auth:GroupCheck
hasValue : optional_type(V).() bool
indexOf lastIndexOf : list(A).(A) int | string.(string) int | string.(string, int) int
int : (int) int | (double) int | (duration) int | (string) int | (timestamp) int | (uint) int
ip : (string) net:IP | net:CIDR.() net:IP
ip.isCanonical isCIDR isIP isQuantity isURL : (string) bool
isGlobalUnicast isLinkLocalMulticast isLinkLocalUnicast isLoopback isUnspecified : net:IP.() bool
isGreaterThan isLessThan : k8s:Quantity.(k8s:Quantity) bool | k8s:Semver.(k8s:Semver) bool
isInteger : k8s:Quantity.() bool
isSemver : (string) bool | (string, bool) bool
isSorted : list(int).() bool | list(uint).() bool | list(double).() bool | list(bool).() bool |
    list(duration).() bool | list(timestamp).() bool | list(string).() bool | list(bytes).() bool
join : list(string).() string | list(string).(string) string
lists.range : (int) list(int)
lowerAscii trim upperAscii : string.() string
major minor patch : k8s:Semver.() int
masked : net:CIDR.() net:CIDR
matches : (string, string) bool | string.(string) bool
max min : list(int).() int | list(uint).() uint | list(double).() double | list(bool).() bool |
    list(duration).() duration | list(timestamp).() timestamp | list(string).() string | list(bytes).() bytes
optional.none : () optional_type(V)
optional.of optional.ofNonZeroValue : (V) optional_type(V)
optional.unwrap : (list(optional_type(V))) list(V)
or : optional_type(V).(optional_type(V)) optional_type(V)
orValue : optional_type(V).(V) V
path : auth:Authorizer.(string) auth:PathCheck
prefixLength : net:CIDR.() int
quantity : (string) k8s:Quantity
replace : string.(string, string) string | string.(string, string, int) string
resource : auth:GroupCheck.(string) auth:ResourceCheck
semver : (string) k8s:Semver | (string, bool) k8s:Semver
serviceAccount : auth:Authorizer.(string, string) auth:Authorizer
sets.contains sets.equivalent sets.intersects : (list(T), list(T)) bool
sign : (k8s:Quantity) int
size : (bytes) int | bytes.() int | (list(A)) int | list(A).() int | (map(A, B)) int | map(A, B).() int |
    (string) int | string.() int
slice : list(T).(int, int) list(T)
sort : list(int).() list(int) | list(uint).() list(uint) | list(double).() list(double) |
    list(bool).() list(bool) | list(duration).() list(duration) | list(timestamp).() list(timestamp) |
    list(string).() list(string) | list(bytes).() list(bytes)
string : (string) string | (bool) string | (bytes) string | (double) string | (duration) string | (int) string |
    (timestamp) string | (uint) string | (net:IP) string | (net:CIDR) string
strings.quote : (string) string
substring : string.(int) string | string.(int, int) string
sum : list(int).() int | list(uint).() uint | list(double).() double | list(duration).() duration
timestamp : (timestamp) timestamp | (int) timestamp | (string) timestamp
type : (A) type(A)
uint : (uint) uint | (double) uint | (int) uint | (string) uint
unwrapOpt : list(optional_type(V)).() list(V)
url : (string) k8s:URL
validate : k8s:NamedFormat.(string) optional_type(list(string))
value : optional_type(V).() V
`;

const PLAIN: ReadonlyMap<string, Type> = new Map([
  ["bool", BOOL],
  ["bytes", BYTES],
  ["double", DOUBLE],
  ["duration", DURATION],
  ["dyn", DYN],
  ["int", INT],
  ["string", STRING],
  ["timestamp", TIMESTAMP],
  ["uint", UINT],
  ["net:IP", opaqueType("net.IP")],
  ["net:CIDR", opaqueType("net.CIDR")],
]);

/** "map(K, V)" and what follows it. */
function parseType(text: string): readonly [type: Type, rest: string] {
  const name = /^[A-Za-z0-9_:]+/.exec(text)?.[0] ?? "";
  let rest = text.slice(name.length);
  const parameters: Type[] = [];
  if (rest.startsWith("(")) {
    do {
      const [parameter, after] = parseType(rest.slice(1).trimStart());
      parameters.push(parameter);
      rest = after;
    } while (rest.startsWith(","));
    rest = rest.slice(1);
  }
  return [namedType(name, parameters), rest];
}

function namedType(name: string, [first = DYN, second = DYN]: readonly Type[]): Type {
  switch (name) {
    case "list":
      return listType(first);
    case "map":
      return mapType(first, second);
    case "type":
      return typeType(first);
    case "optional_type":
      return optionalType(first);
    default:
      return PLAIN.get(name) ?? otherType(name);
  }
}

function otherType(name: string): Type {
  const [library = "", own] = name.split(":");
  if (own === undefined) return parameterType(name);
  return structType(`kubernetes.${library === "auth" ? "authorization." : ""}${own}`);
}

function parseTypes(text: string): readonly Type[] {
  if (text === "") return [];
  const [type, rest] = parseType(text);
  return [type, ...parseTypes(rest.replace(/^, /, ""))];
}

function parseOverload(name: string, text: string): Overload {
  const [receiver = "", args = "", result = ""] = /^(?:(.*)\.)?\((.*)\) ([^ ].*)$/.exec(text)?.slice(1) ?? [];
  const parameters = new Set(text.match(/\b[A-Z]\b/g));
  return {
    id: `${name} ${receiver === "" ? "" : `${receiver}.`}(${args})`,
    isMethod: receiver !== "",
    parameters: [...parameters],
    args: [...parseTypes(receiver), ...parseTypes(args)],
    result: parseType(result)[0],
  };
}

/** The signatures of each function as text. Lines that are indented go on with the one before. */
function parseTable(table: string): ReadonlyMap<string, string> {
  const lines = table.trim().replaceAll(/\n +/g, " ").split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [names = "", overloads = ""] = line.split(" : ");
      return names.split(" ").map((name) => [name, overloads] as const);
    }),
  );
}

let declared: ReadonlyMap<string, string> | undefined;
/** Most rules use few functions, so each is parsed when it is first called. */
const parsed = new Map<string, readonly Overload[]>();

/** The signatures of a function; undefined if there is none of that name. */
export function getOverloads(name: string): readonly Overload[] | undefined {
  declared ??= new Map([...parseTable(OPERATORS), ...parseTable(FUNCTIONS)]);
  const text = declared.get(name);
  if (text === undefined) return undefined;
  const overloads = parsed.get(name) ?? text.split(" | ").map((one) => parseOverload(name, one));
  parsed.set(name, overloads);
  return overloads;
}
