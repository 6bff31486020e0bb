# What reviews.mapping.yaml says, as near as jq gets: dates are read as UTC, and nothing is checked.
{
  source: "RVW",
  sourceId: .id,
  text,
  language,
  sentiment: (if .rating >= 8 then "B" elif .rating >= 5 then "N" else "R" end),
  published: (.date | strptime("%Y-%m-%d %H:%M") | mktime | todate),
  url: "https://reviews.example.com/\(.id)",
  downloaded: "2026-01-01T00:00:00.000Z",
  detectedLocations: ["city: \(.city)"],
  metrics: [{name: "score", value: (1 + .rating / 10 * 4)}],
  tags: ["imported"],
  author: {
    source: "RVW",
    sourceId: .guest,
    username: .guest,
    annotations: [{name: "city", value: .city}]
  }
}
