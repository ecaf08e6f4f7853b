;;; random.el --- Plays anything that the rules allow  -*- lexical-binding: t; -*-

;; Replace the two choices by your own.

;;; Code:

(add-to-list 'load-path (file-name-directory load-file-name))
(require 'barracuda)

(random t) ; another seed in every process

(defun random-choose-card (state _remaining)
  "A card of the hand in STATE, or a challenge where one may be offered."
  (let ((hand (alist-get 'hand state)))
    (if (and (alist-get 'can_challenge state) (= (random 20) 0))
        barracuda-challenge
      (nth (random (length hand)) hand))))

(defun random-answer-challenge (_state _remaining)
  "Whether to accept the challenge that the other player has offered."
  (= (random 2) 0))

(barracuda-run #'random-choose-card #'random-answer-challenge)
;;; random.el ends here
