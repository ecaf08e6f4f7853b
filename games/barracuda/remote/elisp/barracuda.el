;;; barracuda.el --- A client for the Barracuda contest server  -*- lexical-binding: t; -*-

;;; Commentary:

;; It connects, reads requests, sends answers, and connects again.
;;
;;     emacs --batch -l random.el HOST PORT [TOKEN]
;;
;; Your own file calls `barracuda-run' with two functions, or three;
;; random.el shows how.  A state is an alist:
;;
;;     hand             your cards, 1 ... 13, from high to low
;;     card             the card on the table; missing when there is none
;;     hand_id          1 for the first hand of a game
;;     game_id          unique to this game
;;     your_tricks, their_tricks   taken in this hand
;;     total_tricks     played in this hand, ties included
;;     your_points, their_points   in this game; ten win it
;;     can_challenge    whether you may offer a challenge now
;;     in_challenge     whether a challenge was accepted: this hand decides
;;                      the game
;;     opponent_id      the number of the other team
;;     player_number    0 if you led the game, else 1

;;; Code:

(require 'bindat)
(require 'json)
(require 'let-alist)

(defconst barracuda-challenge 0
  "What CHOOSE-CARD returns instead of a card to offer a challenge.")

(defconst barracuda-wait 5
  "Seconds between two attempts to connect.
The server refuses earlier attempts.")

(defvar barracuda--received ""
  "What has arrived of the next messages.")

(defun barracuda-run (choose-card answer-challenge &optional hear-result)
  "Play until the server refuses us.

CHOOSE-CARD gets the state and the remaining seconds, and returns
a card of the hand, or `barracuda-challenge' where `can_challenge'
holds.  ANSWER-CHALLENGE gets the same, and returns whether to
accept.  HEAR-RESULT gets the result of a move and your own player
number, 0 or 1.

The remaining seconds are those on your clock for this whole game."
  (pcase command-line-args-left
    (`(,host ,port . ,token)
     (setq command-line-args-left nil)
     (while t
       (condition-case trouble
           (barracuda--talk host port (car token) choose-card answer-challenge hear-result)
         (file-error (message "no connection: %s; trying again" (error-message-string trouble))))
       ;; At home, the end of a match ends us here.
       (sleep-for barracuda-wait)))
    (_
     (message "usage: emacs --batch -l FILE HOST PORT [TOKEN]")
     (kill-emacs 1))))

(defun barracuda--talk (host port token choose-card answer-challenge hear-result)
  "Connect to HOST and PORT, and play until the connection ends.
TOKEN, unless nil, says who we are.  CHOOSE-CARD, ANSWER-CHALLENGE
and HEAR-RESULT are the player."
  (setq barracuda--received "")
  (let ((server (make-network-process
                 :name "barracuda" :host host :service (string-to-number port) :coding 'binary
                 :nodelay t :sentinel #'ignore
                 :filter (lambda (_server data)
                           (setq barracuda--received (concat barracuda--received data)))))
        (json-false nil)
        (json-array-type 'list)
        message)
    (when token
      (barracuda--send server `((type . "login") (token . ,token))))
    (while (setq message (barracuda--receive server))
      (let-alist message
        (pcase .type
          ("request"
           (barracuda--send
            server
            `((type . "move")
              (request_id . ,.request_id)
              (response . ,(if (equal .request "challenge_offered")
                               (barracuda--answer (funcall answer-challenge .state .remaining))
                             (barracuda--move (funcall choose-card .state .remaining)))))))
          ("result"
           (when hear-result
             (funcall hear-result .result .your_player_num)))
          ("greetings_program"
           (message "connected, we are team %d" .team_id))
          ("error"
           (message "the server refuses us: %s (it sees us at %s)" .message .seen_host)
           (kill-emacs 1)))))
    (delete-process server)))

(defun barracuda--answer (accepts)
  "The response to a challenge that it ACCEPTS or not."
  `((type . ,(if accepts "accept_challenge" "reject_challenge"))))

(defun barracuda--move (card)
  "The response that plays CARD or offers a challenge."
  (if (eql card barracuda-challenge)
      '((type . "offer_challenge"))
    `((type . "play_card") (card . ,card))))

(defun barracuda--send (server object)
  "Send OBJECT to SERVER, header and body together."
  (let ((body (json-encode object)))
    (ignore-errors ; if the server has gone, the next read says so
      (process-send-string
       server
       (concat (bindat-pack '((size u32)) `((size . ,(length body)))) body)))))

(defun barracuda--receive (server)
  "The next message of SERVER, or nil when it has closed the connection."
  (when-let ((header (barracuda--take server 4))
             (body (barracuda--take
                    server
                    (bindat-get-field (bindat-unpack '((size u32)) header) 'size))))
    (json-read-from-string body)))

(defun barracuda--take (server size)
  "The next SIZE bytes of SERVER, or nil when they will not come."
  (while (and (< (length barracuda--received) size)
              (or (accept-process-output server 60)
                  (eq (process-status server) 'open))))
  (when (>= (length barracuda--received) size)
    (prog1 (substring barracuda--received 0 size)
      (setq barracuda--received (substring barracuda--received size)))))

(provide 'barracuda)
;;; barracuda.el ends here
