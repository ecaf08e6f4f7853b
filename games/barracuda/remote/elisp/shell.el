;;; shell.el --- An empty player: your strategy goes here  -*- lexical-binding: t; -*-

;; As it stands it plays its highest card and rejects every challenge.

;;; Code:

(add-to-list 'load-path (file-name-directory load-file-name))
(require 'barracuda)

(defun shell-choose-card (state _remaining)
  "The highest card of the hand in STATE."
  (car (alist-get 'hand state)))

(defun shell-answer-challenge (_state _remaining)
  "Never accept."
  nil)

(defun shell-hear-result (_result _me)
  "RESULT is such as ((type . \"trick_won\") (by . 1) (card . 13)).
`by' is ME when it was you.")

(barracuda-run #'shell-choose-card #'shell-answer-challenge #'shell-hear-result)
;;; shell.el ends here
