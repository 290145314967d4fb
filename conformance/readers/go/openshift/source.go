// Package openshift gives the reader's risks in the types of openshift/api, as the cluster-version operator's pkg/risk.Source has them. It is
// a module of its own, so that the reader needs the standard library only.
package openshift

import (
	"context"
	"fmt"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	reader "preflight.example/reader"
)

// Source has the name and the change notification of the reader's source, and its risks in the API's types.
type Source struct {
	*reader.Source
}

// Risks returns the risks of the target, and by name which versions have them. Risks and an error may come together.
func (s Source) Risks(ctx context.Context, versions []string) ([]configv1.ConditionalUpdateRisk, map[string][]string, error) {
	found, of, failure := s.Source.Risks(ctx, versions)
	var risks []configv1.ConditionalUpdateRisk
	for _, one := range found {
		risk, err := Convert(one)
		if err != nil {
			return nil, nil, err
		}
		risks = append(risks, risk)
	}
	return risks, of, failure
}

// Convert gives a risk in the API's type.
func Convert(risk reader.ConditionalUpdateRisk) (configv1.ConditionalUpdateRisk, error) {
	converted := configv1.ConditionalUpdateRisk{URL: risk.URL, Name: risk.Name, Message: risk.Message}
	for _, rule := range risk.MatchingRules {
		one := configv1.ClusterCondition{Type: rule.Type}
		if rule.PromQL != nil {
			one.PromQL = &configv1.PromQLClusterCondition{PromQL: rule.PromQL.PromQL}
		}
		converted.MatchingRules = append(converted.MatchingRules, one)
	}
	for _, condition := range risk.Conditions {
		since, err := time.Parse(time.RFC3339, condition.LastTransitionTime)
		if err != nil {
			return configv1.ConditionalUpdateRisk{}, fmt.Errorf("%s: %w", risk.Name, err)
		}
		converted.Conditions = append(converted.Conditions, metav1.Condition{
			Type: condition.Type, Status: metav1.ConditionStatus(condition.Status), ObservedGeneration: condition.ObservedGeneration,
			LastTransitionTime: metav1.NewTime(since), Reason: condition.Reason, Message: condition.Message,
		})
	}
	return converted, nil
}
