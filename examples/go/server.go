// The animal store on Go's net/http. Start it with: go run examples/go/server.go PORT
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const maxBody = 1024 * 1024

type limit struct {
	requests int64
	seconds  int64
}

var keys = map[string]limit{"example-key": {5000, 60}, "example-limit-key": {20, 3}}

type pet struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	Status     string `json:"status"`
}

// A refusal ends a request with an Error.
type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

func (r refusal) Error() string { return r.Message }

func badRequest(message string) refusal { return refusal{"bad_request", message, 400} }

type window struct{ number, count int64 }

type store struct {
	mutex   sync.Mutex
	pets    []pet
	windows map[string]window
}

// count counts a request in its fixed window, sets the rate limit headers, and says whether the limit is exceeded.
func (s *store) count(key string, headers http.Header) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := time.Now()
	its := keys[key]
	number := now.Unix() / its.seconds
	current := s.windows[key]
	if current.number != number {
		current = window{number, 0}
	}
	current.count++
	s.windows[key] = current
	reset := (number + 1) * its.seconds
	setLimit(headers, its.requests, its.requests-current.count, reset)
	if current.count <= its.requests {
		return false
	}
	headers.Set("Retry-After", strconv.FormatInt(reset-now.Unix(), 10))
	return true
}

func setLimit(headers http.Header, requests, remaining, reset int64) {
	if remaining < 0 {
		remaining = 0
	}
	headers.Set("X-RateLimit-Limit", strconv.FormatInt(requests, 10))
	headers.Set("X-RateLimit-Remaining", strconv.FormatInt(remaining, 10))
	headers.Set("X-RateLimit-Reset", strconv.FormatInt(reset, 10))
}

func isStatus(text string) bool {
	return text == "available" || text == "pending" || text == "sold"
}

func (s *store) list(query url.Values) (int, any, error) {
	count := 20
	if query.Has("limit") {
		given := query.Get("limit")
		number, err := strconv.Atoi(given)
		if err != nil || number < 1 || number > 100 || strconv.Itoa(number) != given {
			return 0, nil, badRequest("limit: expected an integer from 1 to 100")
		}
		count = number
	}
	if query.Has("status") && !isStatus(query.Get("status")) {
		return 0, nil, badRequest("status: unknown")
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	listed := []pet{}
	for at := len(s.pets) - 1; at >= 0 && len(listed) < count; at-- {
		if !query.Has("status") || s.pets[at].Status == query.Get("status") {
			listed = append(listed, s.pets[at])
		}
	}
	return 200, listed, nil
}

// Names of members are exact: encoding/json would take NAME for name.
func readObject(body []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &members) != nil || members == nil {
		return nil, badRequest("The body is no JSON object in UTF-8.")
	}
	return members, nil
}

var wholeNumber = regexp.MustCompile(`^-?\d{1,19}$`)

func readText(raw json.RawMessage) (string, bool) {
	var text *string
	if raw == nil || json.Unmarshal(raw, &text) != nil || text == nil {
		return "", false
	}
	return *text, true
}

func readPet(body []byte) (pet, error) {
	members, err := readObject(body)
	if err != nil {
		return pet{}, err
	}
	name, isText := readText(members["name"])
	if !isText {
		return pet{}, badRequest("name: expected a string")
	}
	category, err := strconv.ParseInt(string(members["categoryId"]), 10, 64)
	if err != nil || !wholeNumber.Match(members["categoryId"]) {
		return pet{}, badRequest("categoryId: expected an int64")
	}
	status := "available"
	if raw, isGiven := members["status"]; isGiven {
		if status, isText = readText(raw); !isText || !isStatus(status) {
			return pet{}, badRequest("status: unknown")
		}
	}
	return pet{Name: name, CategoryID: category, Status: status}, nil
}

func (s *store) create(body []byte) (int, any, error) {
	created, err := readPet(body)
	if err != nil {
		return 0, nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	created.ID = int64(len(s.pets) + 1)
	s.pets = append(s.pets, created)
	return 201, created, nil
}

func (s *store) get(text string) (int, any, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !wholeNumber.MatchString(text) {
		return 0, nil, badRequest("petId: expected an int64")
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if id < 1 || id > int64(len(s.pets)) {
		return 0, nil, refusal{"not_found", "There is no animal with this id.", 404}
	}
	return 200, s.pets[id-1], nil
}

func (s *store) operate(request *http.Request, body []byte) (int, any, error) {
	path := request.URL.EscapedPath()
	switch {
	case request.Method == "GET" && path == "/v1/pets":
		return s.list(request.URL.Query())
	case request.Method == "POST" && path == "/v1/pets":
		if !strings.HasPrefix(request.Header.Get("Content-Type"), "application/json") {
			return 0, nil, badRequest("Content-Type: expected application/json")
		}
		return s.create(body)
	case request.Method == "GET" && path == "/v1/store/orders":
		return 200, []any{}, nil
	case request.Method == "GET" && strings.HasPrefix(path, "/v1/pets/"):
		id, err := url.PathUnescape(strings.TrimPrefix(path, "/v1/pets/"))
		if err == nil && !strings.Contains(strings.TrimPrefix(path, "/v1/pets/"), "/") {
			return s.get(id)
		}
	}
	return 0, nil, refusal{"not_found", "There is no such operation.", 404}
}

func (s *store) serve(headers http.Header, request *http.Request) (int, any, error) {
	setLimit(headers, 60, 60, time.Now().Unix()+60)
	body, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, maxBody))
	if err != nil {
		return 0, nil, refusal{"too_large", "The body cannot be read.", 413}
	}
	scheme, key, _ := strings.Cut(request.Header.Get("Authorization"), " ")
	key = strings.TrimSpace(key)
	if _, isKey := keys[key]; !isKey || !strings.EqualFold(scheme, "bearer") {
		headers.Set("WWW-Authenticate", "Bearer")
		return 0, nil, refusal{"unauthorized", "The API key is missing or invalid.", 401}
	}
	if s.count(key, headers) {
		return 0, nil, refusal{"rate_limited", "The rate limit is used up.", 429}
	}
	return s.operate(request, body)
}

func (s *store) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	status, value, err := s.serve(response.Header(), request)
	var refused refusal
	if errors.As(err, &refused) {
		status, value = refused.Status, refused
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		status = 500
	}
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	_, _ = response.Write(body.Bytes())
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("http://%s/v1\n", listener.Addr())
	fmt.Fprintln(os.Stderr, http.Serve(listener, &store{windows: map[string]window{}}))
}
