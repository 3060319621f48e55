// Places the order of a file with the generated Go client: placeorder <base url> <token> <body file>; prints the reply as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	market "example.com/integrator/market"
)

func main() {
	baseURL, token, file := os.Args[1], os.Args[2], os.Args[3]
	body, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	var order market.CreateOrder
	if err := json.Unmarshal(body, &order); err != nil {
		log.Fatal(err)
	}
	configuration := market.NewConfiguration()
	configuration.Servers = market.ServerConfigurations{{URL: baseURL}}
	client := market.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), market.ContextAccessToken, token)
	created, _, err := client.OrdersAPI.CreateOrder(ctx).CreateOrder(order).Execute()
	if err != nil {
		log.Fatal(err)
	}
	snapshot, _, err := client.OrdersAPI.GetOrder(ctx, created.OrderId).Execute()
	if err != nil {
		log.Fatal(err)
	}
	reply, _ := json.Marshal(map[string]any{"order_id": created.OrderId, "status": created.Status, "lines": len(snapshot.LineItems)})
	fmt.Println(string(reply))
}
