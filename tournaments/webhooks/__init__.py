"""Webhooks: addresses that are told what happens, signed as Standard Webhooks says.

    ledger → reading, news → following: what each webhook may know becomes `Delivery` rows, in order
                ↓
             sending: posts them, one at a time for each webhook, until the receiver accepts

| module | what it is |
|---|---|
| `readers` | as whom a webhook reads, and whether that person still may |
| `reading` | the reaction to the ledger: it writes rows and sends nothing |
| `following` | the same from the news of what a person follows |
| `addresses`, `post` | where a webhook may go; one request, within a time limit |
| `signing` | the headers and the signature |
| `sending` | claims webhooks, sends what is due, tries again later, gives up after a day |
| `changes` | what people do: create, test, send again, switch off … |
| `upkeep` | what must happen from time to time |
| `forms`, `views` | what the pages of a team and of the desk share |
"""
