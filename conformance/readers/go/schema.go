package reader

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Schema is as much of JSON Schema as the format's schema uses.
type Schema struct {
	Ref                  string             `json:"$ref"`
	Type                 string             `json:"type"`
	Required             []string           `json:"required"`
	Properties           map[string]*Schema `json:"properties"`
	AdditionalProperties *Schema            `json:"additionalProperties"`
	Items                *Schema            `json:"items"`
	Definitions          map[string]*Schema `json:"definitions"`
	Const                any                `json:"const"`
	Enum                 []any              `json:"enum"`
	Pattern              string             `json:"pattern"`
	MinLength            *int               `json:"minLength"`
	MaxLength            *int               `json:"maxLength"`
	MinItems             *int               `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	Minimum              *float64           `json:"minimum"`
	If                   *Schema            `json:"if"`
	Then                 *Schema            `json:"then"`

	isFalse bool
	pattern *regexp.Regexp
}

// UnmarshalJSON also reads the schema false, which nothing satisfies.
func (s *Schema) UnmarshalJSON(text []byte) error {
	if string(text) == "false" {
		s.isFalse = true
		return nil
	}
	type plain Schema
	if err := json.Unmarshal(text, (*plain)(s)); err != nil {
		return err
	}
	if s.Pattern == "" {
		return nil
	}
	pattern, err := regexp.Compile(s.Pattern)
	s.pattern = pattern
	return err
}

// ParseSchema reads preflight-v1.schema.json.
func ParseSchema(text []byte) (*Schema, error) {
	schema := &Schema{}
	return schema, json.Unmarshal(text, schema)
}

// problems lists what is wrong with a value, one line each. root has the definitions.
func (s *Schema) problems(value any, root *Schema, path string) []string {
	if s == nil {
		return nil
	}
	if s.isFalse {
		return []string{path + ": must be absent"}
	}
	if s.Ref != "" {
		return root.Definitions[s.Ref[strings.LastIndex(s.Ref, "/")+1:]].problems(value, root, path)
	}
	if s.Type != "" && s.Type != typeOf(value) && !(s.Type == "integer" && isInteger(value)) {
		return []string{path + ": must be of type " + s.Type}
	}
	var found []string
	add := func(isWrong bool, format string, arguments ...any) {
		if isWrong {
			found = append(found, path+": "+fmt.Sprintf(format, arguments...))
		}
	}
	add(s.Const != nil && !reflect.DeepEqual(s.Const, value), "must be %v", s.Const)
	add(s.Enum != nil && !contains(s.Enum, value), "must be one of %v", s.Enum)
	switch value := value.(type) {
	case string:
		add(s.pattern != nil && !s.pattern.MatchString(value), "must match %s", s.Pattern)
		length := utf8.RuneCountInString(value)
		add(s.MinLength != nil && length < *s.MinLength, "must not be empty")
		add(s.MaxLength != nil && length > *s.MaxLength, "is too long")
	case float64:
		add(s.Minimum != nil && value < *s.Minimum, "is too small")
	case []any:
		add(s.MinItems != nil && len(value) < *s.MinItems, "has too few items")
		add(s.MaxItems != nil && len(value) > *s.MaxItems, "has too many items")
		for i, item := range value {
			found = append(found, s.Items.problems(item, root, fmt.Sprintf("%s[%d]", path, i))...)
		}
	case map[string]any:
		found = append(found, s.objectProblems(value, root, path)...)
	}
	if s.If != nil && len(s.If.problems(value, root, path)) == 0 {
		found = append(found, s.Then.problems(value, root, path)...)
	}
	return found
}

func (s *Schema) objectProblems(value map[string]any, root *Schema, path string) []string {
	var found []string
	for _, key := range s.Required {
		if _, ok := value[key]; !ok {
			found = append(found, path+"."+key+": is missing")
		}
	}
	for key, item := range value {
		schema, ok := s.Properties[key]
		if !ok {
			schema = s.AdditionalProperties
		}
		found = append(found, schema.problems(item, root, path+"."+key)...)
	}
	return found
}

func typeOf(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "null"
}

func isInteger(value any) bool {
	number, ok := value.(float64)
	return ok && number == math.Trunc(number)
}

func contains(values []any, value any) bool {
	for _, one := range values {
		if reflect.DeepEqual(one, value) {
			return true
		}
	}
	return false
}
