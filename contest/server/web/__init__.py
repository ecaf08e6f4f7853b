"""The web server: gunicorn, with an event loop in front of the threads that make the pages.

    worker    gunicorn's worker for event loops, with deadlines for what clients send and take
    threads   runs the portal, a WSGI application, in a few threads
    bodies    what clients send and what they get, on its way to and from these threads
    shared    answers from copies, made once for all who are not logged in (copies, store, pace)
    waiting   answers `?wait=25` when there is something new
    options   gunicorn's settings

A thread never waits for a client. It gets a request when all of it is there and gives its answer into a buffer, and a
client that waits for something new costs a few kilobytes and no thread.
"""
