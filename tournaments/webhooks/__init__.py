"""Webhooks: addresses that are told what happens, signed as Standard Webhooks says.

    ledger → reading, news → following: what each webhook may know becomes `Delivery` rows, in order
                ↓
             sending: posts them, one at a time for each webhook, until the receiver accepts

| module | what it is |
|---|---|
| `reading` | as whom a webhook reads; the reaction to the ledger: it writes rows and sends nothing |
| `following` | the same from the news of what a person follows |
| `addresses`, `post` | where a webhook may go; one request, within a time limit |
| `sending` | claims webhooks, signs and sends what is due, tries again later; what must happen now and then |
| `changes` | what people do: create, test, send again, switch off … |
| `forms`, `views` | the pages of a team, of the desk, and of a person who follows |
"""
