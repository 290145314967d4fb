/** What an expression evaluates to, as far as it is meant to. */
export type Sort = (typeof SORTS)[number];

export const SORTS = ["bool", "int", "double", "string", "list", "map", "any"] as const;

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Constants, one in a line. */
export const LITERALS: Readonly<Record<Sort, readonly string[]>> = {
  bool: lines(`
true
false`),
  int: lines(`
0
1
2
-1
3
9223372036854775807
-9223372036854775807
0x10
dyn(7)`),
  double: lines(`
0.5
-1.5
1e300
2.0
dyn(0.1)
0.0`),
  string: lines(`
''
'a'
'b'
'aé😀'
'10Gi'
'[a-c]+'
'a,b'
'1.2.3'
'2024-01-02T03:04:05Z'
'%s'`),
  list: lines(`
[]
[1, 2, 3]
['a', 'b']
[1.5]
[dyn(1), dyn('a')]
[[1], [2]]
[null]
[{'a': 1}]`),
  map: lines(`
{}
{'a': 1}
{'a': 'b', 'b': 'c'}
{1: 'a'}
{true: 1}
{'a': dyn(1), 'if': dyn(null)}`),
  any: lines(`
null
1u
b'ab'
duration('90s')
timestamp('2024-02-29T12:00:00.5Z')
dyn(null)
int
optional.none()
optional.of(1)`),
};

/** Expressions with holes for others: in "{bool:x,y}" the variables x and y may be used. */
export const FORMS: Readonly<Record<Sort, readonly string[]>> = {
  bool: lines(`
{any} == {any}
{any} != {any}
{list} == {list}
{map} == {map}
{string} == {string}
{int} == {double}
{int} < {int}
{double} <= {int}
{string} > {string}
{any} >= {any}
({bool} && {bool})
({bool} || {bool})
!{bool}
({bool} ? {bool} : {bool})
{any} in {list}
{string} in {map}
{int} in {list}
has({map}.a)
has({any}.missing)
has({list}[0].name)
{list}.all(x, {bool:x})
{list}.exists(x, {bool:x})
{list}.exists_one(x, {bool:x})
{map}.all(x, {bool:x})
{map}.exists(x, y, {bool:x,y})
{list}.all(x, y, {bool:x,y})
{list}.existsOne(x, y, {bool:x,y})
{string}.startsWith({string})
{string}.endsWith({string})
{string}.contains({string})
{string}.matches({string})
{string}.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')
{list}.isSorted()
bool({any})
isQuantity({string})
isURL({string})
isIP({string})
isCIDR({string})
isSemver({string})
quantity({string}).isGreaterThan(quantity('1'))
semver({string}).isLessThan(semver('1.2.4'))
cidr('10.0.0.0/8').containsIP({string})
ip({string}).isLoopback()
sets.contains({list}, {list})
sets.intersects({list}, {list})
sets.equivalent({list}, {list})
{map}.?a.hasValue()
{map}[?{string}].hasValue()
{list}[?{int}].hasValue()
optional.ofNonZeroValue({any}).hasValue()
type({any}) == {any}
type({any}) == type({any})
format.dns1123Label().validate({string}).hasValue()
timestamp({string}) < timestamp('2025-01-01T00:00:00Z')
duration({string}) > duration('1m')
{list}.exists(x, x.name == {string})
has({map}.?a.b)
{any} < {any}
{string} < {any}`),
  int: lines(`
{int} + {int}
{int} - {int}
{int} * {int}
{int} / {int}
{int} % {int}
-{int}
int({any})
int({string})
int({double})
{list}.size()
{map}.size()
size({any})
{string}.size()
{string}.indexOf({string})
{string}.lastIndexOf({string})
{list}.indexOf({any})
{list}.sum()
{list}.min()
{list}.max()
{list}[{int}]
({bool} ? {int} : {int})
quantity({string}).asInteger()
semver({string}).major()
timestamp({string}).getFullYear()
duration({string}).getSeconds()
timestamp({string}).getHours('+02:00')
{map}.?a.orValue({int})
{list}[?{int}].orValue({int})
ip({string}).family()
cidr({string}).prefixLength()
quantity({string}).compareTo(quantity({string}))
{list}.filter(x, {bool:x}).size()
{list}.map(x, {int:x}).sum()
uint({any}) + 1u`),
  double: lines(`
{double} + {double}
{double} - {double}
{double} * {double}
{double} / {double}
double({any})
double({string})
-{double}
double({int})
{list}.sum()
({bool} ? {double} : {double})
quantity({string}).asApproximateFloat()
[{double}, {double}].max()
{int} + {double}`),
  string: lines(`
{string} + {string}
string({any})
string({int})
string({double})
{string}.substring({int})
{string}.substring({int}, {int})
{string}.charAt({int})
{string}.replace({string}, {string})
{string}.lowerAscii()
{string}.upperAscii()
{string}.trim()
{string}.reverse()
{list}.join(',')
{list}.map(x, {string:x}).join('-')
{string}.find({string})
'%s and %s'.format([{any}, {any}])
'%d %.2f'.format([{int}, {double}])
strings.quote({string})
{map}[{string}]
{map}.?name.orValue({string})
({bool} ? {string} : {string})
{string}.split(',')[0]
url({string}).getHost()
string(quantity({string}).asInteger())
string(timestamp({string}))
string(duration({string}))
string(ip({string}))
'%s'.format([{map}])
'%s'.format([{list}])
string(type({any}))
{list}[{int}]
string({bool})
{string}.split({string}).join('|')
'%x %e'.format([{int}, {double}])
string(b'ab') + {string}
semver({string}, true).major() > 0 ? 'x' : {string}`),
  list: lines(`
[{any}]
[dyn({any}), dyn({any})]
[{string}, {string}]
[{int}, {int}]
{list} + {list}
{list}.map(x, {any:x})
{list}.map(x, {bool:x}, {any:x})
{list}.filter(x, {bool:x})
{list}.transformList(x, y, {any:x,y})
{map}.map(x, {string:x}).sort()
{list}.sort()
{list}.sortBy(x, {int:x})
{list}.distinct()
{list}.flatten()
{list}.reverse()
{list}.slice({int}, {int})
lists.range({int} % 5)
{string}.split({string})
{string}.split('')
{string}.findAll('[a-z0-9]+')
({bool} ? {list} : {list})
{map}.?a.orValue({list})
[?{map}.?a, {any}]
{list}[?{int}].optMap(x, [{any:x}]).orValue([])
{list}.first().hasValue() ? {list} : []
[{list}.first(), {list}.last()]
{list}.map(x, x.?name.orValue(''))
{map}.transformList(x, y, x + string(y)).sort()
{list}.filter(x, has(x.name)).map(x, x.name)
{list}.map(x, type(x))
[{any}.?a, {any}[?'b']]`),
  map: lines(`
{'a': {any}}
{{string}: {int}}
{'a': {string}, 'b': {string}}
{map}.transformMap(x, y, {any:x,y})
{map}.transformMap(x, y, {bool:x,y}, y)
{list}.transformMap(x, y, {any:x,y})
{list}.transformMapEntry(x, y, {string(x): {any:x,y}})
({bool} ? {map} : {map})
{map}[{string}]
{map}.?b.orValue({map})
{?'a': {map}.?b, 'c': {any}}
{list}[{int}]
{list}.first().orValue({map})
optional.of({map}).?a.orValue({map})`),
  any: lines(`
{bool}
{int}
{double}
{string}
{list}
{map}
{map}.a
{map}[{string}]
{list}[{int}]
{any}.name
{any}[{any}]
dyn({any})
type({any})
{any}.?a
{map}[?{string}]
{map}.?a.optMap(x, {any:x})
{map}.?a.optFlatMap(x, x.?b)
{map}.?a.or({map}.?b)
({bool} ? {any} : {any})
{any} + {any}
{list}.first()
{list}.last()
{list}.max()
uint({any})
bytes({string})
timestamp({string})
duration({string})
timestamp({string}) - timestamp('2024-01-01T00:00:00Z')
timestamp({string}) + duration({string})
optional.of({any}).value()
optional.none()
null
{any}.orValue({any})
{any}.value()
-{any}
!{any}`),
};
