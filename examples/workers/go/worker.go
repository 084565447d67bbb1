// Our own billing as actions of Perdure: two activities and a workflow of a Temporal worker.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

const taskQueue = "billing-go"

// Argument is the one argument that Perdure sends.
type Argument[Inputs any] struct {
	Inputs Inputs `json:"inputs"`
	Call   Call   `json:"call"`
}

type Call struct {
	ExecutionID string `json:"executionId"`
	StepID      string `json:"stepId"`
	Attempt     int    `json:"attempt"`
	// The same in each attempt of a step.
	IdempotencyKey string `json:"idempotencyKey"`
	Traceparent    string `json:"traceparent,omitempty"`
	// A token for the credentials of the step's connection.
	Connection string `json:"connection,omitempty"`
}

type Order struct {
	Items []struct {
		Price    float64 `json:"price"`
		Quantity float64 `json:"quantity"`
	} `json:"items"`
}

type Total struct {
	Total float64 `json:"total"`
}

type ToCharge struct {
	Customer string  `json:"customer"`
	Amount   float64 `json:"amount"`
}

type Charged struct {
	ChargeID string  `json:"chargeId"`
	Amount   float64 `json:"amount"`
}

func price(_ context.Context, argument Argument[Order]) (Total, error) {
	total := 0.0
	for _, item := range argument.Inputs.Items {
		total += item.Price * item.Quantity
	}
	return Total{total}, nil
}

// The payment service of this example: one charge for each idempotency key.
var charges sync.Map

func charge(ctx context.Context, argument Argument[ToCharge]) (Charged, error) {
	inputs, call := argument.Inputs, argument.Call
	if inputs.Amount <= 0 {
		// The type is the step's error code. Nobody tries again.
		return Charged{}, temporal.NewNonRetryableApplicationError("The amount must be positive", "AMOUNT_INVALID", nil, inputs)
	}
	if call.Connection != "" {
		if _, err := credentials(ctx, call.Connection); err != nil {
			return Charged{}, err
		}
	}
	// Perdure takes an activity without a heartbeat in 30 s as lost.
	activity.RecordHeartbeat(ctx)
	key := call.IdempotencyKey
	made, _ := charges.LoadOrStore(key, Charged{ChargeID: "ch_" + key[:8], Amount: inputs.Amount})
	return made.(Charged), nil
}

// credentials exchanges the token of an attempt for the credentials of the step's connection. It works once.
func credentials(ctx context.Context, token string) (map[string]string, error) {
	body, err := json.Marshal(map[string]string{"token": token})
	if err != nil {
		return nil, err
	}
	url := setting("PERDURE_URL", "http://127.0.0.1:3000") + "/api/apps/credentials"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("no credentials: %s", answer.Status)
	}
	var found struct {
		Credentials map[string]string `json:"credentials"`
	}
	return found.Credentials, json.NewDecoder(answer.Body).Decode(&found)
}

type Parts struct {
	ToCharge
	Parts   int `json:"parts"`
	PauseMs int `json:"pauseMs"`
}

type Paid struct {
	ChargeIDs []string `json:"chargeIds"`
}

func payInParts(ctx workflow.Context, argument Argument[Parts]) (Paid, error) {
	inputs, call := argument.Inputs, argument.Call
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute})
	paid := Paid{ChargeIDs: []string{}}
	for part := range inputs.Parts {
		if part > 0 {
			if err := workflow.Sleep(ctx, time.Duration(inputs.PauseMs)*time.Millisecond); err != nil {
				return paid, err
			}
		}
		one := Argument[ToCharge]{
			Inputs: ToCharge{Customer: inputs.Customer, Amount: inputs.Amount / float64(inputs.Parts)},
			Call:   Call{IdempotencyKey: fmt.Sprintf("%d-%s", part, call.IdempotencyKey)},
		}
		var charged Charged
		if err := workflow.ExecuteActivity(ctx, "charge", one).Get(ctx, &charged); err != nil {
			return paid, err
		}
		paid.ChargeIDs = append(paid.ChargeIDs, charged.ChargeID)
	}
	return paid, nil
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	temporalClient, err := client.Dial(client.Options{HostPort: setting("TEMPORAL_ADDRESS", "127.0.0.1:7233")})
	if err != nil {
		log.Fatalln(err)
	}
	defer temporalClient.Close()
	billing := worker.New(temporalClient, taskQueue, worker.Options{})
	billing.RegisterActivityWithOptions(price, activity.RegisterOptions{Name: "price"})
	billing.RegisterActivityWithOptions(charge, activity.RegisterOptions{Name: "charge"})
	billing.RegisterWorkflowWithOptions(payInParts, workflow.RegisterOptions{Name: "payInParts"})
	fmt.Println("polls", taskQueue)
	if err := billing.Run(worker.InterruptCh()); err != nil {
		log.Fatalln(err)
	}
}
