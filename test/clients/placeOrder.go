// Places the order of a file with the client that oapi-codegen generated: placeorder <base url> <token> <body file>; prints what it read as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	market "example.com/integrator/market/market"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	baseURL, token, file := os.Args[1], os.Args[2], os.Args[3]
	var order market.CreateOrder
	if err := json.Unmarshal(must(os.ReadFile(file)), &order); err != nil {
		log.Fatal(err)
	}
	withToken := market.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	})
	client := must(market.NewClientWithResponses(baseURL, withToken))
	ctx := context.Background()
	created := must(client.CreateOrderWithResponse(ctx, nil, order))
	if created.JSON201 == nil {
		log.Fatalf("%d: %s", created.StatusCode(), created.Body)
	}
	read := must(client.GetOrderWithResponse(ctx, created.JSON201.OrderId, nil))
	feed := must(client.ReadFeedWithResponse(ctx, nil))
	if read.JSON200 == nil || feed.JSON200 == nil {
		log.Fatalf("%s %s", read.Body, feed.Body)
	}
	events := feed.JSON200.Events
	last := must(events[len(events)-1].AsOtherEvent())
	reply := map[string]any{"order_id": created.JSON201.OrderId, "status": read.JSON200.Status, "lines": len(read.JSON200.LineItems), "last": last.EventType}
	fmt.Println(string(must(json.Marshal(reply))))
}
